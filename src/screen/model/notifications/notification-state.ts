import type {DesktopCode} from '../../terminal/window/desktop-notification.ts';
import type {ProgramStatus} from '../../terminal/window/program-status.ts';

export type NotificationOptions = {
	/**
	The condition for ringing the bell when a run ends or a question opens: only while the terminal is unfocused,
	always, or never.
	*/
	readonly bell: 'unfocused' | 'always' | 'never';
	/** Whether inkpod sets the title of the window, and reports its state to terminals that support this. */
	readonly title: boolean;
	/** The value of `$TERM`. inkpod uses it to detect the Linux console, which has no window title. */
	readonly term: string | undefined;
	/**
	The code for desktop notifications, or `tmux` if tmux knows the code. If absent, inkpod sends no desktop
	notifications.
	*/
	readonly desktop?: DesktopCode | 'tmux' | undefined;
};

/** The contents of the last notifications to the user. */
export type NotificationState = {
	/** The title of the window. */
	readonly title: string | undefined;
	/** The start time of the running job. */
	readonly runningSince: number | undefined;
	/** The id of the first open question. */
	readonly askId: string | undefined;
	/** The state of the program that was reported. */
	readonly status: ProgramStatus | undefined;
};

/** Stores the contents of the notifications that inkpod has just sent. */
export type NotificationAction = {readonly type: 'notified'; readonly notifications: NotificationState};

export const noNotifications: NotificationState = {
	title: undefined,
	runningSince: undefined,
	askId: undefined,
	status: undefined,
};
