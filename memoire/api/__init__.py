"""L'API de la mémoire longue : souvenirs, accords, corrections, hypothèses. Une opération, un service."""
