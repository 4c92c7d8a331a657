"""Le langage, hors du Noyau : ce code reçoit une projection, rend une proposition, n'écrit ni ne lit rien (NO-01)."""
