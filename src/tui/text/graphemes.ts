import {required} from './checks/required.ts';

/**
The graphemes of a text. The segmenter is made when it is first needed: the first one of a process takes 8 ms, and the
first frame needs none.
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
