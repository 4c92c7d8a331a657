"""Superviseur du Poste : lance tout dans l'ordre, relance ce qui tombe, arrête tout proprement."""
