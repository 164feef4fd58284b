import type {StoreApi} from 'zustand/vanilla';
import type {Layout} from '../view/layout.ts';
import type {Size} from '../model/terminal-state.ts';
import type {Painter, ScreenStreams} from '../terminal/compositor/painter.ts';
import type {Theme} from '../spans/theme.ts';

/** The picture of a screen at one moment. `cursor` is in cells from the upper left corner. */
export type Frame = {readonly size: Size; readonly cursor: {readonly x: number; readonly y: number}};

/** The output that shows frames on a terminal between `start` and `stop`. At any other time it writes nothing. */
export type View<Of extends Frame = Layout> = {
	readonly start: () => void;
	readonly stop: () => void;
	/** Closes the view for good. */
	readonly close: () => void;
	readonly show: (frame: Of) => void;
	/** Forgets the contents of the terminal, so that the next frame is written as a whole. */
	readonly forget: () => void;
};

export type ViewOptions = ScreenStreams & {
	readonly theme: Theme;
	/** Receives errors of components and of loading. */
	readonly onError: (error: Error) => void;
};

/** The props of a screen's components, which get its frames from a store. */
export type ScreenProps<Of extends Frame = Layout> = Pick<ViewOptions, 'theme' | 'onError'> & {
	readonly shown: StoreApi<Of>;
};

export type CreateView<Of extends Frame = Layout> = (options: ViewOptions) => View<Of>;

/** The views of a screen. `inline` and `spoken` load Ink at once. */
export type Views<Of extends Frame = Layout> = {
	readonly full: (painter: Painter, options: ViewOptions) => View<Of>;
	readonly inline: () => Promise<CreateView<Of>>;
	readonly spoken: () => Promise<CreateView<Of>>;
};

/** A view that Ink draws, from its first frame until it is unmounted. */
export type Mounted<Of extends Frame = Layout> = {
	readonly show: (frame: Of) => void;
	/** Draws the last frame again, on a terminal with unknown contents. */
	readonly redraw: () => void;
	/** `isCleared` removes everything from the terminal. */
	readonly unmount: (isCleared?: boolean) => void;
};

export type MountOptions<Of extends Frame = Layout> = ViewOptions & {readonly frame: Of};
