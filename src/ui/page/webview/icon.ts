const circle = 'M8 1.5a6.5 6.5 0 1 0 .01 0z';

/** The lines of each icon, in a square of 16. */
const shapes = {
  error: `${circle}M5.5 5.5l5 5M10.5 5.5l-5 5`,
  warning: 'M8 2L14.5 13.5H1.5zM8 6.2v3.6M8 11.2v1',
  info: `${circle}M8 7v4.5M8 4.4v1`,
  success: `${circle}M5 8.3l2.2 2.2L11 6`,
  working: 'M8 1.5a6.5 6.5 0 1 1-6.5 6.5',
  other: circle,
} as const;

type IconShape = keyof typeof shapes;

const namespace = 'http://www.w3.org/2000/svg';

/** An icon of lines, because the page may load no image and no font. Words beside it say the same. */
export function lineIcon(shape: IconShape): SVGElement {
  const node = document.createElementNS(namespace, 'svg');
  const path = document.createElementNS(namespace, 'path');
  path.setAttribute('d', shapes[shape]);
  node.append(path);
  const attributes = { class: `icon ${shape}`, viewBox: '0 0 16 16', 'aria-hidden': 'true' };
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}
