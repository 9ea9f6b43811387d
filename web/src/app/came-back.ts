let isBack = false;

/** Whether this page was reached by Back or Forward: then it is shown as it was left. */
export function cameBack(): boolean {
  return isBack;
}

/** The router announces its own steps by these names. Called once, when the page starts. */
export function watchHistory(): void {
  addEventListener('popstate', () => {
    isBack = true;
  });
  for (const step of ['pushState', 'replaceState']) {
    addEventListener(step, () => {
      isBack = false;
    });
  }
}
