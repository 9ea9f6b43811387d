import type { enPreviews } from '../en/previews.ts';

/** Documents in answers, opened beside the chat. */
export const esPreviews: typeof enPreviews = {
  open: 'Abrir junto al chat',
  close: 'Cerrar la vista previa',
  titles: { html: 'Página', svg: 'Dibujo', csv: 'Tabla', mermaid: 'Diagrama', vega: 'Gráfico' },
  save: 'Guardar como archivo',
  sealed: 'Aislado: no puede acceder a la red, a esta página ni a su cuenta.',
  loading: 'Dibujando',
  failed: 'No se pudo cargar lo que dibuja esto. Compruebe su conexión y ábralo de nuevo.',
};
