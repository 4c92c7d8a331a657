/* Tout marche sans ce fichier : il ne fait que garder la page fraîche et éviter les faux pas. */
"use strict";

(() => {
  // Rien dans le stockage du navigateur : htmx y range le chemin de la page. Chargé avant lui, ce fichier l'en prive.
  Storage.prototype.setItem = () => { throw new DOMException("Le Poste n’écrit rien ici.", "SecurityError"); };

  const INSECABLE = "\u00a0", FINE = "\u202f";

  // --- Dates relatives : les mêmes mots que le serveur.
  const nombre = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, FINE);
  const duree = (secondes) => {
    const pas = [[60, 1, "s"], [3600, 60, "min"], [172800, 3600, "h"], [Infinity, 86400, "j"]];
    const [, diviseur, unite] = pas.find(([borne]) => secondes < borne);
    return nombre(Math.floor(secondes / diviseur)) + INSECABLE + unite;
  };
  const relatif = (instant) => {
    const ecart = (instant - Date.now()) / 1000;
    if (Math.abs(ecart) < 5) return "à l’instant";
    return (ecart > 0 ? "dans " : "il y a ") + duree(Math.abs(ecart));
  };
  const rafraichir = () => {
    for (const temps of document.querySelectorAll("time[datetime] > [data-relatif]")) {
      temps.textContent = relatif(Date.parse(temps.parentElement.dateTime));
    }
  };
  setInterval(() => { if (!document.hidden) rafraichir(); }, 30000);

  // --- Pouls : vite après une action, lentement ensuite, jamais quand l'onglet est caché.
  const VITE = 3000, LENT = 60000, FOIS = 20;
  let rapides = 0, minuterie;
  const battre = () => {
    const pouls = document.querySelector("[data-pouls]");
    if (pouls && !document.hidden) htmx.trigger(pouls, "pouls");
    programmer();
  };
  const programmer = () => {
    clearTimeout(minuterie);
    if (!document.querySelector("[data-pouls]") || document.hidden) return;
    minuterie = setTimeout(battre, rapides > 0 ? VITE : LENT);
    rapides = Math.max(0, rapides - 1);
  };
  const accelerer = () => { rapides = FOIS; programmer(); };
  document.addEventListener("visibilitychange", () => { if (document.hidden) clearTimeout(minuterie); else { rafraichir(); battre(); } });

  // --- Annonces : ce qui vient de se passer, dit aussi aux lecteurs d'écran.
  const annoncer = (texte) => {
    const zone = document.getElementById("annonces");
    if (!zone) return;
    const mot = document.createElement("p");
    mot.textContent = texte;
    zone.replaceChildren(mot);
    setTimeout(() => { if (mot.isConnected) mot.remove(); }, 6000);
  };
  document.addEventListener("htmx:responseError", (e) => {
    const raisons = { 403: "Accès refusé, ou page expirée : rechargez-la.", 404: "Cet objet n’existe plus.", 429: "Trop de demandes : attendez un instant.", 503: "Le Poste ne joint plus un de ses services." };
    annoncer(raisons[e.detail.xhr.status] || "Le Poste n’a pas pu faire cela.");
  });
  document.addEventListener("htmx:sendError", () => annoncer("Le Poste ne répond pas. Rien n’a été changé."));
  document.addEventListener("htmx:beforeSwap", (e) => { if (e.detail.xhr.status === 286) { clearTimeout(minuterie); document.querySelector("[data-pouls]")?.remove(); } });
  document.addEventListener("htmx:afterRequest", (e) => { if (e.detail.requestConfig?.verb === "post" && e.detail.successful) accelerer(); });

  // --- Après un échange, le focus reste là où l'on était.
  let foyer = "";
  document.addEventListener("htmx:beforeSwap", () => { foyer = document.activeElement?.id || ""; });
  document.addEventListener("htmx:afterSettle", () => {
    if (foyer && (!document.activeElement || document.activeElement === document.body)) document.getElementById(foyer)?.focus();
    rafraichir();
    const bascule = foyer ? document.getElementById(foyer) : null;
    if (bascule?.getAttribute("role") === "switch") annoncer(bascule.getAttribute("aria-checked") === "true" ? "Espace mémorisé." : "Espace fermé.");
    foyer = "";
  });

  // --- Un seul envoi par formulaire (le serveur le vérifie aussi).
  document.addEventListener("submit", (e) => {
    const formulaire = e.target;
    if (!formulaire.matches("[data-envoi-unique]") || formulaire.hasAttribute("hx-post")) return;
    if (formulaire.dataset.parti) { e.preventDefault(); return; }
    formulaire.dataset.parti = "oui";
    e.submitter?.setAttribute("aria-busy", "true");
  });
  addEventListener("pageshow", (e) => {
    if (!e.persisted) return;
    for (const f of document.querySelectorAll("form[data-parti]")) { delete f.dataset.parti; f.querySelector("[aria-busy]")?.removeAttribute("aria-busy"); }
  });

  // --- Copier une clé, d'un bouton qui n'existe qu'ici.
  for (const bouton of document.querySelectorAll("[data-copier]")) {
    if (!navigator.clipboard) continue;
    bouton.hidden = false;
    bouton.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(document.querySelector(bouton.dataset.copier).value); annoncer("Clé copiée."); }
      catch { annoncer("La copie n’est pas permise : sélectionnez la clé."); }
    });
  }

  // --- Confirmations : le focus attend sur « Annuler ». Menu : Échap le referme.
  document.querySelector("[data-focus]")?.focus();
  document.addEventListener("keydown", (e) => {
    const menu = document.querySelector(".menu-etroit[open]");
    if (e.key === "Escape" && menu) { menu.open = false; menu.querySelector("summary").focus(); }
  });

  programmer();
})();
