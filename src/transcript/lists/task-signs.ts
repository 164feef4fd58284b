import type {Style} from '../../text/span.ts';

/** The signs of tasks, which are those of calls. */
export const taskSigns = {
	pending: {glyph: '◦', style: 'dim'},
	in_progress: {glyph: '◔', style: 'info'},
	done: {glyph: '●', style: 'ok'},
} as const satisfies Record<string, {readonly glyph: string; readonly style: Style}>;
