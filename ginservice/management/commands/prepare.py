"""What comes before serving: migrate, and see that there is an operator for the admin."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from ginservice.start import check_settings
from players import services
from players.models import Player


class Command(BaseCommand):
    help = (
        "Migrate; then make the operator whom OPERATOR_NAME and OPERATOR_PASSWORD describe, unless"
        " he is there. With --operator and no such password: operator, with the password operator."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--operator", action="store_true", help="unless somebody is staff")

    def handle(self, *args: Any, operator: bool, **options: Any) -> None:
        check_settings()
        call_command("migrate", interactive=False, verbosity=0)
        if settings.OPERATOR_PASSWORD:
            self.make(settings.OPERATOR_NAME, settings.OPERATOR_PASSWORD)
        elif operator and not Player.objects.filter(is_staff=True).exists():
            Player.objects.create_superuser(name="operator", password="operator")
            self.stdout.write("Created the operator: name operator, password operator.")

    def make(self, name: str, password: str) -> None:
        try:
            if services.make_operator(name, password):
                self.stdout.write(f"Created the operator {name}.")
        except services.Refused as error:
            of = "PASSWORD" if isinstance(error, services.WeakPassword) else "NAME"
            raise CommandError(f"OPERATOR_{of}: {error}") from None
