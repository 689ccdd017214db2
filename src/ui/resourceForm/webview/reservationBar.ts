import type { Reservation } from '../../../core/specTotals.ts';
import { element, svgElement } from './dom.ts';
import { reservationWords } from './specWords.ts';

/** A request drawn inside its limit, with the same in words beside it. */
export function reservationBar(name: string, reservation: Reservation, longest: number, unit: string): HTMLElement {
  const { request, limit } = reservation;
  const words = reservationWords(reservation, unit);
  const picture = svgElement(
    'svg',
    { class: 'bar', viewBox: '0 0 100 8', preserveAspectRatio: 'none', role: 'img', 'aria-label': `${name}: ${words}` },
    svgElement('rect', {
      class: 'bar-limit',
      x: '0.5',
      y: '0.5',
      width: share(limit ?? request, longest),
      height: '7',
    }),
    svgElement('rect', { class: 'bar-request', x: '0.5', y: '0.5', width: share(request, longest), height: '7' }),
  );
  return element(
    'span',
    { class: 'reservation' },
    picture,
    element('span', { class: 'reservation-words', 'aria-hidden': 'true' }, words),
  );
}

/** Of a picture 100 wide; anything above nothing can be seen. */
function share(value: number | undefined, longest: number): string {
  if (value === undefined || value <= 0 || !(longest > 0)) return '0';
  return String(Math.min(Math.max((value / longest) * 99, 1), 99));
}
