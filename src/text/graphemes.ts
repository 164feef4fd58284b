import {required} from './required.ts';

/**
Segments a text into graphemes. The segmenter is created on demand: creating the first one takes 8 ms, and the first
frame needs none.
*/
export function graphemesOf(text: string): Intl.Segments {
	segmenter ??= new Intl.Segmenter();
	return segmenter.segment(text);
}

let segmenter: Intl.Segmenter | undefined;

/** Returns the segment at an index inside the segmented text. */
export function segmentAt(segments: Intl.Segments, index: number): Intl.SegmentData {
	return required(segments.containing(index), 'segment');
}
