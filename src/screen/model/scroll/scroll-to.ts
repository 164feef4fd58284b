import {atEnd, home, pageBy, scrollBy, toMessage, type RowSource, type Scroll} from '../../rows/viewport/viewport.ts';

/** The ways in which the view can scroll. A negative `by` scrolls up. */
export type ScrollTo =
	| {readonly kind: 'rows' | 'page'; readonly by: number}
	| {readonly kind: 'message'; readonly by: 1 | -1}
	| {readonly kind: 'home' | 'end'};

/** Returns the view after a scroll. */
export function scrolledTo(source: RowSource, scroll: Scroll, height: number, to: ScrollTo): Scroll {
	if (to.kind === 'rows') return scrollBy(source, scroll, height, to.by);
	if (to.kind === 'page') return pageBy(source, scroll, height, to.by);
	if (to.kind === 'message') return toMessage(source, scroll, height, to.by);
	return to.kind === 'home' ? home(source, scroll, height) : atEnd;
}
