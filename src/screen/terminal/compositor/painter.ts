import {compose, type ComposeOptions, type Picture} from './compositor.ts';

/** Shows pictures between `start` and `stop`. At other times it writes nothing. */
export type Painter = {
	start(): void;
	stop(): void;
	paint(picture: Picture): void;
	/** Discards what is known about the contents of the terminal, so that the next picture is written as a whole. */
	forget(): void;
};

export type ScreenStreams = {readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream};

/** Creates the painter of the full screen. It writes only what differs from the last picture, in a single write. */
export function createPainter(stdout: {write(bytes: string): unknown}, options: ComposeOptions): Painter {
	let shown: Picture | undefined;
	let isOn = false;
	return {
		start() {
			isOn = true;
			shown = undefined;
		},
		stop() {
			isOn = false;
		},
		paint(picture) {
			if (!isOn) return;
			const bytes = compose(shown, picture, options);
			shown = picture;
			if (bytes !== '') stdout.write(bytes);
		},
		forget() {
			shown = undefined;
		},
	};
}
