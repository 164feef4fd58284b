import type {TranscriptStore} from '../rows/store.ts';
import {atEnd, type Scroll} from '../rows/viewport/viewport.ts';
import type {ReadAgain} from './scroll/read-again.ts';
import type {ScrollTo} from './scroll/scroll-to.ts';
import {stillWheel, turnWheel, type Wheel} from './scroll/wheel.ts';

/** The transcript, and the part of it that the screen shows. */
export type TranscriptState = {
	/** The session's blocks and their rows. Absent until a session exists. */
	readonly store: TranscriptStore | undefined;
	/** A number that grows with every change of the transcript. */
	readonly version: number;
	/**
	Set while the screen shows only the end of a session and the rest is being loaded. Contains the start time, and how
	far the user has tried to scroll above that end.
	*/
	readonly tail: {readonly since: number; readonly wanted: readonly ScrollTo[]} | undefined;
	readonly scroll: Scroll;
	readonly wheel: Wheel;
	/** The blocks that a screen reader was asked to read again last. */
	readonly readAgain: ReadAgain | undefined;
};

export type TranscriptAction =
	/** Opens a session or its end. */
	| {readonly type: 'open transcript'; readonly transcript: TranscriptStore; readonly isSessionTail?: boolean}
	/**
	The transcript has changed. `isStreaming`: the change is a delta, which may be drawn later. `isSnapshot`: the whole
	transcript is new.
	*/
	| {readonly type: 'transcript changed'; readonly isStreaming?: boolean; readonly isSnapshot?: boolean}
	| {readonly type: 'scroll'; readonly scroll: Scroll}
	| {readonly type: 'turn wheel'; readonly direction: -1 | 1}
	/** A screen reader reads blocks again. */
	| {readonly type: 'read again'; readonly from: string; readonly count: number}
	/** The user scrolls above the loaded end of a session. */
	| {readonly type: 'want scroll'; readonly to: ScrollTo}
	| {readonly type: 'forget wanted scrolls'}
	/** The rest of the session is loaded. */
	| {readonly type: 'session loaded'};

export const noTranscript: TranscriptState = {
	store: undefined,
	version: 0,
	tail: undefined,
	scroll: atEnd,
	wheel: stillWheel,
	readAgain: undefined,
};

export function reduceTranscript(transcript: TranscriptState, action: TranscriptAction, now: number): TranscriptState {
	const {store, version, tail, wheel, readAgain} = transcript;
	switch (action.type) {
		case 'open transcript': {
			const {transcript: opened, isSessionTail = false} = action;
			const nextTail = isSessionTail ? {since: now, wanted: []} : tail;
			return {...transcript, store: opened, tail: nextTail, version: version + 1};
		}
		case 'transcript changed':
			return {...transcript, version: version + 1};
		case 'scroll':
			return withScroll(transcript, action.scroll);
		case 'turn wheel':
			return {...transcript, wheel: turnWheel(wheel, action.direction, now)};
		case 'read again': {
			const {from, count} = action;
			const number = (readAgain?.number ?? 0) + 1;
			return {...transcript, readAgain: {number, from, count, total: store?.count() ?? 0}};
		}
		case 'want scroll':
			return tail === undefined
				? transcript
				: {...transcript, tail: {...tail, wanted: [...tail.wanted, action.to]}};
		case 'forget wanted scrolls':
			return tail === undefined ? transcript : {...transcript, tail: {...tail, wanted: []}};
		case 'session loaded':
			return {...transcript, tail: undefined};
		default:
			return action satisfies never;
	}
}

export function withScroll(transcript: TranscriptState, scroll: Scroll): TranscriptState {
	return transcript.scroll === scroll ? transcript : {...transcript, scroll};
}
