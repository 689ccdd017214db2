import type { Reservation } from '../../../core/specTotals.ts';
import { element, setAttribute, setText } from './dom.ts';
import { reservationWords } from './specWords.ts';

export interface ReservationBar {
  readonly node: HTMLElement;
  /** Draws a reservation to the scale of the longest one that stands beside it. */
  readonly show: (reservation: Reservation, longest: number) => void;
}

/** A request drawn inside its limit, with the same in words beside it. */
export function reservationBar(name: string, inWords: (amount: number) => string): ReservationBar {
  const [limitBar, requestBar] = [element('span', { class: 'bar-limit' }), element('span', { class: 'bar-request' })];
  const picture = element('span', { class: 'bar', role: 'img' }, limitBar, requestBar);
  const words = element('span', { 'aria-hidden': 'true' });
  return {
    node: element('span', { class: 'reservation' }, picture, words),
    show: (reservation, longest) => {
      const { request, limit } = reservation;
      const shown = reservationWords(reservation, inWords);
      setAttribute(picture, 'aria-label', `${name}: ${shown}`);
      limitBar.style.width = share(limit ?? request, longest);
      requestBar.style.width = share(request, longest);
      setText(words, shown);
    },
  };
}

/** The part of the room that a value takes; anything above nothing can be seen. */
function share(value: number | undefined, longest: number): string {
  return value === undefined || value <= 0 ? '0' : `${Math.max((value / longest) * 100, 1)}%`;
}
