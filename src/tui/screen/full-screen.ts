import {firstPicture} from './first-picture.ts';
import type {Layout} from '../layout.ts';
import type {Painter} from '../terminal/compositor/painter.ts';
import type {Mounted, View, ViewOptions} from './view.ts';

/** The full screen. Its first frames need no Ink: the same rows are painted until Ink is loaded behind them. */
export function createFullScreen(painter: Painter, options: ViewOptions): View {
	let mounted: Mounted | undefined;
	let latest: Layout | undefined;
	let isClosed = false;

	async function mount(): Promise<void> {
		await new Promise(resolve => setImmediate(resolve));
		const {mountOn} = await import('../render.tsx');
		if (!isClosed) mounted = mountOn(painter, {...options, frame: latest!});
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
			if (mounted === undefined) painter.paint(firstPicture(frame, options.theme));
			else mounted.show(frame);
			if (isFirst) mount().catch(options.onError);
		},
		forget: () => painter.forget(),
	};
}
