"""The WSGI entry point of the web process."""

import os

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

from ginservice.settings import SECRET_KEY

if not SECRET_KEY:  # refused here rather than at the first sign-in
    raise ImproperlyConfigured("Set SECRET_KEY to a long random text, or use `make run`.")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ginservice.settings")
application = get_wsgi_application()
