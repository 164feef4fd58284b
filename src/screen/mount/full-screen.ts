import {firstPicture} from './first-picture.ts';
import type {Picture} from '../terminal/compositor/compositor.ts';
import type {Painter} from '../terminal/compositor/painter.ts';
import type {Theme} from '../spans/theme.ts';
import type {Frame, Mounted, MountOptions, View, ViewOptions} from './view.ts';

/** The parts that a full screen needs. */
type FullScreenParts<Of extends Frame> = {
	/** Paints the rows of a frame until the components are loaded. The components show the same. */
	readonly picture: (frame: Of, theme: Theme) => Picture;
	readonly load: () => Promise<(painter: Painter, options: MountOptions<Of>) => Mounted<Of>>;
};

/** Shows the chat on the full screen. */
export function createFullScreen(painter: Painter, options: ViewOptions): View {
	return createFullScreenOf(painter, options, {
		picture: firstPicture,
		load: async () => (await import('./show-chat.ts')).mountChat,
	});
}

/** Creates a full screen. The first frames are painted without Ink, which loads after them. */
export function createFullScreenOf<Of extends Frame>(
	painter: Painter,
	options: ViewOptions,
	{picture, load}: FullScreenParts<Of>,
): View<Of> {
	let mounted: Mounted<Of> | undefined;
	let latest: Of | undefined;
	let isClosed = false;

	async function mount(): Promise<void> {
		await new Promise(resolve => setImmediate(resolve));
		const mountOn = await load();
		if (!isClosed && latest !== undefined) mounted = mountOn(painter, {...options, frame: latest});
	}

	return {
		start: () => painter.start(),
		stop: () => painter.stop(),
		close() {
			isClosed = true;
			mounted?.unmount();
		},
		show(frame) {
			const isFirst = latest === undefined;
			latest = frame;
			if (mounted === undefined) painter.paint(picture(frame, options.theme));
			else mounted.show(frame);
			if (isFirst) mount().catch(options.onError);
		},
		forget: () => painter.forget(),
	};
}
