from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0010_ratings_of_bots'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='rated_wish',
            field=models.BooleanField(null=True),
        ),
    ]
