"""Icônes au trait, dessinées sur une grille de 24 : des constantes, posées dans la page sans aucune requête."""

ICONES = {
    # Horizon artificiel : le repère de la maison.
    "horizon": '<circle cx="12" cy="12" r="9"/><path d="M3.5 14.5 12 10l8.5 4.5M12 7v.01M8 19.5l4-2 4 2"/>',
    "tableau": '<path d="M4 17a8 8 0 1 1 16 0"/><path d="m12 17 4-5"/><path d="M4 20h16"/>',
    "espaces": '<path d="M4 5h16v11H9l-5 4z"/><path d="M8 9h8M8 12h5"/>',
    "bots": '<rect x="5" y="8" width="14" height="11" rx="2"/><path d="M12 8V4M9 13v1M15 13v1M2.5 12v4M21.5 12v4"/>',
    "parametres": (
        '<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2"/><circle cx="9" cy="17" r="2"/>'
    ),
    "sante": '<path d="M3 12h4l3-7 4 14 3-7h4"/>',
    "audit": '<path d="M6 3h9l4 4v14H6z"/><path d="M9 11h7M9 15h7M9 7h3"/>',
    "confidentialite": '<path d="M12 3 5 6v5c0 5 3 8 7 10 4-2 7-5 7-10V6z"/><path d="m9 12 2 2 4-4"/>',
    "garde": '<path d="M4 5h16l-6 8v5l-4 2v-7z"/><path d="M8 8h8"/>',
    "vigilances": (
        '<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z"/><circle cx="12" cy="12" r="3"/>'
    ),
    "categories": ('<path d="M4 5h6v5H4zM14 5h6v5h-6zM4 14h6v5H4z"/><path d="M14 16.5h6"/>'),
    "noyau": '<circle cx="12" cy="12" r="3"/><path d="M12 3v3M12 18v3M3 12h3M18 12h3"/><circle cx="12" cy="12" r="6"/>',
    "theme": '<circle cx="12" cy="12" r="8"/><path d="M12 4v16a8 8 0 0 0 0-16z" fill="currentColor"/>',
    "cle": '<circle cx="8" cy="15" r="4"/><path d="m11 12 9-9M17 6l3 3M14 9l2 2"/>',
    "sortie": '<path d="M14 4H5v16h9M10 12h11M17 8l4 4-4 4"/>',
    "menu": '<path d="M4 7h16M4 12h16M4 17h16"/>',
    "fait": '<path d="m5 12 5 5 9-10"/>',
    "attention": '<path d="M12 4 2.5 20h19z"/><path d="M12 10v4M12 17v.01"/>',
    "erreur": '<path d="M8 3h8l5 5v8l-5 5H8l-5-5V8z"/><path d="M12 7.5V13M12 16.5v.01"/>',
    "info": '<circle cx="12" cy="12" r="9"/><path d="M12 11v5M12 8v.01"/>',
    "a_faire": '<circle cx="12" cy="12" r="8"/>',
}
