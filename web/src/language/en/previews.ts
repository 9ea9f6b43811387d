/** Documents in answers, opened beside the chat. */
export const enPreviews = {
  open: 'Open beside the chat',
  close: 'Close the preview',
  titles: { html: 'Page', svg: 'Drawing', csv: 'Table', mermaid: 'Diagram', vega: 'Plot' },
  save: 'Save as a file',
  sealed: 'Sealed off: it cannot reach the network, this page or your account.',
  loading: 'Drawing',
  failed: 'What draws this could not be loaded. Check your connection and open it again.',
};
