import type {Segment} from '../../pod/protocol.ts';
import type {ChatLaunch} from '../start/launch.ts';
import type {OpenPod, Plan} from '../../pod/first-frame.ts';
import type {ChatIo} from './chat-io.ts';

/** A session to show on the screen. */
export type SessionScreen = {
	readonly plan: Plan;
	/** The open pod. It is absent for the first session, whose pod opens after the first frame. */
	readonly open?: OpenPod;
	/** The prompt that is sent at once, or an empty text for none. */
	readonly prompt: string;
	/** The text that is in the composer at the start. */
	readonly draft: readonly Segment[];
	/** A message about a success that appears when the screen opens. */
	readonly notice?: string;
	/** The alerts that appear when the screen opens. */
	readonly warnings: readonly string[];
};

/** The next step after a screen: a session that is ready, or the list of sessions. */
export type NextScreen =
	| {readonly kind: 'session'; readonly screen: SessionScreen}
	/** The parent or another child of the same parent. */
	| {readonly kind: 'family'; readonly screen: SessionScreen}
	/** The server continues this session. */
	| {readonly kind: 'detach'; readonly resumes: boolean}
	| {readonly kind: 'pick'; readonly isByNeed?: true; readonly draft: readonly Segment[]; readonly typed: string};

/** The screen that the user leaves. */
export type Here = {
	readonly launch: ChatLaunch;
	readonly io: ChatIo;
	readonly screen: SessionScreen;
	readonly open: OpenPod;
};
