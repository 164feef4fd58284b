import type {Style} from '../../text/span.ts';

/** The signs of tasks. They are the same as the signs of calls. */
export const taskSigns = {
	pending: {glyph: '◦', style: 'dim'},
	in_progress: {glyph: '◔', style: 'info'},
	done: {glyph: '●', style: 'ok'},
} as const satisfies Record<string, {readonly glyph: string; readonly style: Style}>;
