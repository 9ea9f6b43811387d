/** Where the build has put them, with their versions in the names; `vite.config.ts` says so. */
declare const previewLibraries: Readonly<Record<'mermaid' | 'vega' | 'vega-lite', string>>;

/** What draws inside the frame: files of our own, then a few lines that call them. */
export const drawings = {
  mermaid: {
    libraries: [previewLibraries.mermaid],
    draw: `(async () => {
      const place = document.getElementById('drawing');
      const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
      try {
        mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', theme: isDark ? 'dark' : 'neutral' });
        place.innerHTML = (await mermaid.render('diagram', window.source)).svg;
      } catch (error) { place.replaceWith(Object.assign(document.createElement('pre'), { textContent: String(error) })) }
    })()`,
  },
  vega: {
    libraries: [previewLibraries.vega, previewLibraries['vega-lite']],
    draw: `(async () => {
      const place = document.getElementById('drawing');
      const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
      const ink = isDark ? '#e6e2da' : '#22262a';
      const config = {
        background: 'transparent', view: { stroke: null }, font: 'system-ui, sans-serif', title: { color: ink },
        axis: { labelColor: ink, titleColor: ink, gridColor: isDark ? '#3a4147' : '#e4dfd3' },
        legend: { labelColor: ink, titleColor: ink }, mark: { color: '#2f7d6d' },
      };
      try {
        const { spec } = vegaLite.compile(JSON.parse(window.source), { config });
        await new vega.View(vega.parse(spec), { renderer: 'svg', container: place }).runAsync();
      } catch (error) { place.replaceWith(Object.assign(document.createElement('pre'), { textContent: String(error) })) }
    })()`,
  },
} as const;
