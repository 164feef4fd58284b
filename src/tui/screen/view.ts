import type {Layout} from '../layout.ts';
import type {ScreenStreams} from '../terminal/compositor/painter.ts';
import type {Theme} from '../text/theme.ts';

/** Shows frames on a terminal, between `start` and `stop`; at other times it writes nothing. */
export type View = {
	readonly start: () => void;
	readonly stop: () => void;
	/** The screen is left for good. */
	readonly close: () => void;
	readonly show: (frame: Layout) => void;
	/** What the terminal shows is unknown: the next frame is written whole. */
	readonly forget: () => void;
};

export type ViewOptions = ScreenStreams & {
	readonly theme: Theme;
	/** Is told what a component throws, and what cannot be loaded. */
	readonly onError: (error: Error) => void;
};

export type CreateView = (options: ViewOptions) => View;

/** What Ink draws, from its first frame until it is unmounted. */
export type Mounted = {
	readonly show: (frame: Layout) => void;
	/** Draws the last frame anew, on a terminal of which nothing is known. */
	readonly redraw: () => void;
	readonly unmount: () => void;
};
