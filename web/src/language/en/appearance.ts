/** Administration, Appearance. */
export const enAppearance = {
  words: 'Name and words',
  name: 'Name',
  nameHint: 'In the sidebar, on the sign-in page, in titles and on the status page.',
  lead: 'Line below the name on the sign-in page',
  help: 'Words below its form',
  usual: 'Empty: the usual words.',
  save: 'Save',
  saved: 'Saved',
  colour: 'Colour',
  colourLead:
    'One colour for what can be acted on. Shades of it that can be read are made for both themes, so the colour shown may be darker or lighter than the one chosen.',
  chosen: 'Chosen colour',
  own: 'Use the colour of the house',
  light: 'Light theme',
  dark: 'Dark theme',
  sample: 'Sample',
  sampleLink: 'A link',
  adapted: 'Adapted, to be readable',
  asChosen: 'As chosen',
  logo: 'Logo',
  logoLead:
    'A PNG of up to 1024 by 1024 dots, or an SVG of shapes and gradients; at most 128 KB. It takes the place of the arch.',
  choose: 'Choose a picture',
  remove: 'Remove logo',
  notAPicture: 'Choose a PNG or SVG file of at most 128 KB.',
  refused:
    'This picture cannot be used: it is damaged, too large, or an SVG that holds more than shapes and gradients (scripts, styles, links, texts, pictures).',
};

export type AppearanceWords = typeof enAppearance;
