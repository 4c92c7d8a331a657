"""Application WSGI servie par granian."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "horizon.settings")
application = get_wsgi_application()

# Ce qui vient d'être chargé vivra autant que le processus : le ramasse-miettes n'a plus à le parcourir. Un lot de 500
# messages alloue par milliers ; au seuil d'origine, il serait interrompu vingt fois pour rien.
gc.freeze()
gc.set_threshold(20_000, 20, 20)
