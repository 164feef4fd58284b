import {firstPicture} from './first-picture.ts';
import type {Picture} from '../terminal/compositor/compositor.ts';
import type {Painter} from '../terminal/compositor/painter.ts';
import type {Theme} from '../text/theme.ts';
import type {Frame, Mounted, MountOptions, View, ViewOptions} from './view.ts';

/** How frames are shown in full. */
export type FullScreenParts<Of extends Frame> = {
	/** A frame's rows, painted. It is shown until the components are loaded, which show the same. */
	readonly picture: (frame: Of, theme: Theme) => Picture;
	readonly load: () => Promise<(painter: Painter, options: MountOptions<Of>) => Mounted<Of>>;
};

/** The chat in full. */
export function createFullScreen(painter: Painter, options: ViewOptions): View {
	return createFullScreenOf(painter, options, {
		picture: firstPicture,
		load: async () => (await import('./show-chat.ts')).mountChat,
	});
}

/** A full screen. Its first frames need no Ink: the same rows are painted until Ink is loaded after them. */
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
