// Runs before the first paint so that a dark room never sees a white flash. External because the content
// security policy forbids inline scripts.
(() => {
  const key = 'gatehouse.theme';
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    let choice = null;
    try {
      choice = localStorage.getItem(key);
    } catch {
      // Storage may be forbidden; the system's choice is a good one.
    }
    const isDark = choice === 'dark' || (choice !== 'light' && dark.matches);
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  };
  apply();
  dark.addEventListener('change', apply);
  addEventListener('storage', apply);
  addEventListener('gatehouse:theme', apply);
})();
