import {required} from './required.ts';

/**
Segments a text into graphemes. The segmenter is created on demand: the first segmenter takes 8 ms to create, and the
first frame does not need it.
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
