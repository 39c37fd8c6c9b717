// Runs before the first paint, so that a chosen theme never flashes the other one.
(() => {
  const root = document.documentElement.dataset;
  let saved = {};
  try {
    saved = JSON.parse(localStorage.getItem('boardwalk:settings') ?? '{}') ?? {};
  } catch {
    // Storage is off or holds nonsense: the system's wishes decide.
  }
  const wants = (query) => matchMedia(query).matches;
  if (saved.theme === 'light' || saved.theme === 'dark') root.theme = saved.theme;
  if (saved.contrast === 'more' || (saved.contrast !== 'normal' && wants('(prefers-contrast: more)')))
    root.contrast = 'more';
  if (saved.motion === 'less' || (saved.motion !== 'full' && wants('(prefers-reduced-motion: reduce)')))
    root.motion = 'less';
})();
