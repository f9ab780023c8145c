from django.db import migrations, models


class Migration(migrations.Migration):
    """Answers are kept for a day: those in clear are deleted, and need no other form."""

    dependencies = [("players", "0007_players_by_name")]

    operations = [
        migrations.RunSQL("DELETE FROM players_storedanswer", migrations.RunSQL.noop),
        migrations.RemoveConstraint("storedanswer", "one_answer_a_key"),
        migrations.RemoveField("storedanswer", "key"),
        migrations.AddField(
            "storedanswer", "key_digest", models.CharField(max_length=64, default=""), False
        ),
        migrations.AddConstraint(
            "storedanswer",
            models.UniqueConstraint(fields=["player", "key_digest"], name="one_answer_a_key"),
        ),
    ]
