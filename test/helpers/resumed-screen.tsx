import {dirname} from 'node:path';
import {render} from 'ink-testing-library';
import {onTestFinished} from 'vitest';
import {createStore} from 'zustand/vanilla';
import {planStart} from '../../src/pod/open/start/plan.ts';
import {startPod} from '../../src/pod/open/start/start-pod.ts';
import type {PodClient} from '../../src/pod/protocol.ts';
import type {Layout} from '../../src/screen/view/layout.ts';
import {Screen} from '../../src/screen/mount/mount.tsx';
import {draw} from '../../src/screen/mount/open-screen.ts';
import type {Size} from '../../src/screen/model/terminal-state.ts';
import {showAlert, type App} from '../../src/screen/control/app.ts';
import {connect} from '../../src/screen/control/pod-events.ts';
import {createTheme} from '../../src/screen/spans/theme.ts';
import {loadHighlight} from '../../src/screen/markdown/highlight.ts';
import {fixtureEnvironment, storeFixture, type ShownScreen} from './fixtures.ts';
import {settled} from './fake-app.ts';
import {tempProject} from './temp-project.ts';
import {testApp} from './test-app.ts';

/**
Renders the whole app of a fixture's session at each size, resumed as the program resumes it. It uses Ink without
patches, and ink-testing-library gets the frames.
*/
export async function resumedScreens(name: string, sizes: readonly Size[]): Promise<readonly ShownScreen[]> {
	await loadHighlight();
	const {app, isQuiet} = await resumedApp(name);
	const shown = createStore<Layout>(() => draw(app, sizes[0]!));
	const ink = render(<Screen shown={shown} theme={createTheme(3)} onError={fail} />);
	onTestFinished(ink.unmount);
	const screens: ShownScreen[] = [];
	for (const size of sizes) {
		await settledFrame(app, size, isQuiet);
		const layout = draw(app, size);
		shown.setState(layout, true);
		await settled();
		const lines = ink.lastFrame()!.split('\n');
		const rows = Array.from({length: size.rows}, (_, row) => lines[row] ?? '');
		screens.push({size, rows, cursor: layout.cursor});
	}
	return screens;
}

/** `isQuiet`: whether the pod has answered all questions. */
type ResumedApp = {readonly app: App; readonly isQuiet: () => boolean};

async function resumedApp(name: string): Promise<ResumedApp> {
	const project = await tempProject();
	const env = fixtureEnvironment(project);
	const id = await storeFixture(project, name);
	// The models of the fixtures do not exist.
	const start = {
		session: {kind: 'id', id},
		model: 'offline',
		cwd: project.dir,
		readOnly: false,
		addDirs: [],
	} as const;
	const planned = await planStart(start, env);
	if (!planned.ok) throw new Error(planned.sentence);
	const started = await startPod(planned.plan, env, {attended: true});
	if (!started.ok) throw new Error(started.sentence);
	onTestFinished(async () => void (await started.pod.send({method: 'shutdown'})));
	const app = testApp({home: dirname(project.dir), now: Date.now});
	const {client, open} = counted(started.pod);
	await connect(app, client);
	for (const warning of [...planned.plan.warnings, ...started.warnings])
		showAlert(app, {level: 'warn', text: warning});
	return {app, isQuiet: () => open() === 0};
}

/** Draws until nothing changes any more. */
async function settledFrame(app: App, size: Size, isQuiet: () => boolean): Promise<void> {
	for (let last: string | undefined; ;) {
		const {transcript, pill, status, cursor} = draw(app, size);
		await settled();
		const now = JSON.stringify([transcript.rows.map(({row}) => row), pill, status, cursor]);
		if (now === last && isQuiet()) return;
		last = now;
	}
}

/** Wraps a pod and counts its open questions. */
function counted(pod: PodClient): {readonly client: PodClient; readonly open: () => number} {
	let open = 0;
	const count = async <Answer,>(answer: Promise<Answer>): Promise<Answer> => {
		open++;
		return answer.finally(() => open--);
	};
	const client: PodClient = {
		...pod,
		stale: async ids => count(pod.stale(ids)),
		workflows: async () => count(pod.workflows()),
	};
	return {client, open: () => open};
}

function fail(error: Error): void {
	throw error;
}
