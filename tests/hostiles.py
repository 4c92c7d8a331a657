"""Le corpus hostile commun aux pages et à l'API : plus de cinq cents textes, chacun un piège connu (SR-08)."""

import itertools

NOYAUX = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", '" autofocus onfocus=alert(1) x="',
    "'; DROP TABLE x;--",
    '<div hx-get="/bots/" hx-trigger="load">', "<svg/onload=alert(1)>", "{{ 7|add:7 }}", "{% debug %}",
    "javascript:alert(1)",
    "\x00", "\ud800", "\u202eabc", "\u200b", "\ufeff", "\u2028", "%00", "%s%n", "../../etc/passwd",
    "\r\nSet-Cookie: a=b",
    "A" * 5000, "é" * 300, "💥", "-1", "1e309", "NaN", "9" * 60,
]  # fmt: skip
ENVELOPPES = [
    "{}", " {}", "{} ", "x{}", "{}x", "<b>{}</b>", "<!--{}-->", "]]>{}", "&lt;{}", "{}\n{}", "\t{}", "«{}»",
    '"{}"', "'{}'",
    "`{}`", "/{}", "?{}", "#{}", "={}", "@{}",
]  # fmt: skip
HOSTILES = [e.replace("{}", n) for e, n in itertools.product(ENVELOPPES, NOYAUX)]
