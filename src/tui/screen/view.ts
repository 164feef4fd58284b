import type {StoreApi} from 'zustand/vanilla';
import type {Layout} from '../layout.ts';
import type {Size} from '../size.ts';
import type {Painter, ScreenStreams} from '../terminal/compositor/painter.ts';
import type {Theme} from '../text/theme.ts';

/** What a screen shows at one moment. `cursor`: in cells from the upper left corner. */
export type Frame = {readonly size: Size; readonly cursor: {readonly x: number; readonly y: number}};

/** Shows frames on a terminal, between `start` and `stop`; at other times it writes nothing. */
export type View<Of extends Frame = Layout> = {
	readonly start: () => void;
	readonly stop: () => void;
	/** The screen is left for good. */
	readonly close: () => void;
	readonly show: (frame: Of) => void;
	/** What the terminal shows is unknown: the next frame is written whole. */
	readonly forget: () => void;
};

export type ViewOptions = ScreenStreams & {
	readonly theme: Theme;
	/** Is told what a component throws, and what cannot be loaded. */
	readonly onError: (error: Error) => void;
};

/** What the components of a screen get: its frames in a store, one after another. */
export type ScreenProps<Of extends Frame = Layout> = Pick<ViewOptions, 'theme' | 'onError'> & {
	readonly shown: StoreApi<Of>;
};

export type CreateView<Of extends Frame = Layout> = (options: ViewOptions) => View<Of>;

/** The ways in which a screen is shown. `inline` and `spoken` load Ink at once. */
export type Views<Of extends Frame = Layout> = {
	readonly full: (painter: Painter, options: ViewOptions) => View<Of>;
	readonly inline: () => Promise<CreateView<Of>>;
	readonly spoken: () => Promise<CreateView<Of>>;
};

/** What Ink draws, from its first frame until it is unmounted. */
export type Mounted<Of extends Frame = Layout> = {
	readonly show: (frame: Of) => void;
	/** Draws the last frame anew, on a terminal of which nothing is known. */
	readonly redraw: () => void;
	/** `isCleared`: nothing stays on the terminal. */
	readonly unmount: (isCleared?: boolean) => void;
};

export type MountOptions<Of extends Frame = Layout> = ViewOptions & {readonly frame: Of};
