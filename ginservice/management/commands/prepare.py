"""What `make run` does before it serves: migrate, and on a laptop make a demo operator."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

from players.models import Player


class Command(BaseCommand):
    help = "Migrate; with --operator also create the player operator (password operator)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--operator", action="store_true", help="unless somebody is staff")

    def handle(self, *args: Any, operator: bool, **options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        if operator and not Player.objects.filter(is_staff=True).exists():
            Player.objects.create_superuser(name="operator", password="operator")
            self.stdout.write("Created the operator: name operator, password operator.")
