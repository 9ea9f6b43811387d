import type { enAppearance } from '../en/appearance.ts';

/** Administration, Appearance. */
export const esAppearance: typeof enAppearance = {
  words: 'Nombre y textos',
  name: 'Nombre',
  nameHint: 'En la barra lateral, en la página de inicio de sesión, en los títulos y en la página de estado.',
  lead: 'Línea bajo el nombre en la página de inicio de sesión',
  help: 'Texto bajo el formulario',
  usual: 'Vacío: el texto habitual.',
  save: 'Guardar',
  saved: 'Guardado',
  colour: 'Color',
  colourLead:
    'Un color para aquello sobre lo que se puede actuar. Se crean tonos legibles para ambos temas, así que el color mostrado puede ser más oscuro o más claro que el elegido.',
  chosen: 'Color elegido',
  own: 'Usar el color de la casa',
  light: 'Tema claro',
  dark: 'Tema oscuro',
  sample: 'Muestra',
  sampleLink: 'Un enlace',
  adapted: 'Adaptado para que se lea',
  asChosen: 'Tal como se eligió',
  logo: 'Logotipo',
  logoLead:
    'Un PNG de hasta 1024 por 1024 puntos, o un SVG de formas y degradados; 128 KB como máximo. Ocupa el lugar del arco.',
  choose: 'Elegir una imagen',
  remove: 'Quitar el logotipo',
  notAPicture: 'Elija un archivo PNG o SVG de 128 KB como máximo.',
  refused:
    'Esta imagen no se puede usar: está dañada, es demasiado grande o es un SVG con más que formas y degradados (scripts, estilos, enlaces, textos, imágenes).',
};
