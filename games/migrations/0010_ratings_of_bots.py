from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0009_hints'),
    ]

    operations = [
        migrations.AddField(
            model_name='ratingchange',
            name='bots',
            field=ArrayField(base_field=models.FloatField(), null=True, size=None),
        ),
    ]
