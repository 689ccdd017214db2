import { button, setAttribute, setText } from './dom.ts';
import { keyedList } from './keyedList.ts';

interface ListedButton {
  readonly id: string;
  readonly label: string;
}

/**
 * Buttons that the editor gives to a page.
 * @param about what they act on, for screen readers, if several have the same label
 */
export function buttonList(node: Element, press: (id: string) => void, about: () => string = () => '') {
  const keyOf = ({ id }: ListedButton): string => id;
  return keyedList(node, keyOf, ({ id }) => {
    const made = button('', () => press(id));
    return {
      node: made,
      render: ({ label }: ListedButton): void => {
        setText(made, label);
        setAttribute(made, 'aria-label', about() === '' ? undefined : `${label}: ${about()}`);
      },
    };
  });
}
