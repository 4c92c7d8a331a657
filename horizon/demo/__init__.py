"""La communauté de démonstration : des données inventées, chargées par les mêmes voies que les vraies."""
