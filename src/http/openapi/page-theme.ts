/** Swagger UI has a dark mode, but only its bar at the top, which is left out, turns it on: the page follows the system instead. */
const followColorScheme = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);
`;

/** The look of `/docs`. */
export const pageTheme = {
  title: 'API · Session gateway',
  js: [{ filename: 'color-scheme.js', content: followColorScheme }],
};
