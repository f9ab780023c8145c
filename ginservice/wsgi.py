"""The WSGI entry point of the web process."""

import os

from django.core.wsgi import get_wsgi_application

from ginservice.start import check_settings

check_settings()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ginservice.settings")
application = get_wsgi_application()
