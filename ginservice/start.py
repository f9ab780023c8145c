"""What web and workers ask before they start: can the settings be right, and are they all there?"""

import sys
from typing import Any

from django.core.exceptions import ImproperlyConfigured


def check_settings(**_: Any) -> None:
    """Ends the process with a sentence that names the setting."""
    try:
        from ginservice import settings
    except ImproperlyConfigured as error:
        sys.exit(f"Cannot start: {error}")
    if settings.MISSING:
        sys.exit(f"Cannot start: set {', '.join(settings.MISSING)}, or use `make run`.")
