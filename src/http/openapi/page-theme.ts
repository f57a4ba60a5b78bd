/** Swagger UI has a dark mode, but only its bar at the top, which is left out, turns it on: the page follows the system instead. */
const followColorScheme = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);
`;

/**
 * Keeps the keys that were typed as the console does: in `sessionStorage`, for this tab, until it closes. Swagger UI's own
 * `persistAuthorization` leaves them in `localStorage`, on the disk. Its initializer keeps `ui` to itself, and runs on `load`: after this.
 */
const keepKeys = `const name = 'gateway.docs';
const bundle = window.SwaggerUIBundle;
window.SwaggerUIBundle = Object.assign((config) => {
  const ui = bundle(config);
  const kept = sessionStorage.getItem(name);
  if (kept !== null) ui.authActions.restoreAuthorization({ authorized: JSON.parse(kept) });
  ui.getStore().subscribe(() => sessionStorage.setItem(name, JSON.stringify(ui.authSelectors.authorized())));
  return ui;
}, bundle);
`;

/** The look of `/docs`, and what it keeps. */
export const pageTheme = {
  title: 'API · Session gateway',
  js: [
    { filename: 'color-scheme.js', content: followColorScheme },
    { filename: 'keep-keys.js', content: keepKeys },
  ],
};
