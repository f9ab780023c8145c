from django.db import migrations


class Migration(migrations.Migration):
    """axes deletes what is old whenever somebody signs in; with this it need not read it all."""

    dependencies = [("players", "0002_stored_answers"), ("axes", "0010_accessattemptexpiration")]

    operations = [
        migrations.RunSQL(
            "CREATE INDEX failed_sign_ins_by_time ON axes_accessattempt (attempt_time)",
            "DROP INDEX failed_sign_ins_by_time",
        )
    ]
