import {resourceFor} from '../runtime.ts';
import type {App} from '../app.ts';

/**
Reads in short slices where the texts of the session came from, so that neither a card nor the detail view waits for it.
It is called when a turn begins, because the model then takes longer to answer. The first slice waits until the request
is sent.
*/
export function readOrigins(app: App): void {
	const reading = readingOf(app);
	if (reading.isActive) return;
	reading.isActive = true;
	setTimeout(readSlice, firstMs, app).unref();
}

function readSlice(app: App): void {
	const until = performance.now() + sliceMs;
	const {store} = app.state.transcript;
	const isRead = store?.readOrigins(() => performance.now() > until) ?? true;
	readingOf(app).isActive = !isRead;
	if (isRead) app.dispatch({type: 'transcript changed'});
	else setTimeout(readSlice, pauseMs, app).unref();
}

const readingOf = resourceFor(() => ({isActive: false}));

const firstMs = 100;
const sliceMs = 4;
/** The pause between two slices, in which keys are handled and frames are drawn. */
const pauseMs = 4;
