import type {Action} from '../model/app-state.ts';
import type {AppState} from '../model/app-state.ts';
import type {App} from './app.ts';
import {desktopBytes} from '../terminal/window/desktop-notification.ts';
import {hasWindow, nextNotifications, type DesktopNotice} from '../view/notifications/notifications.ts';
import type {NotificationState} from '../model/notifications/notification-state.ts';

/**
Shows the pod's state in the window title, and reports it to a terminal that shows the state of programs. Rings the bell
or sends a desktop notification when the pod needs you. A snapshot only changes the title and the state.
*/
export function watchPod(app: App, _before: AppState, action: Action): void {
	const {
		setup: {notifications: options},
		notifications,
	} = app.state;
	if (options === undefined || action.type !== 'transcript changed' || action.isStreaming === true) return;
	const {next, rings, notice} = nextNotifications(app.state, options);
	if (!isSame(notifications, next)) app.dispatch({type: 'notified', notifications: next});
	if (next.title !== undefined && next.title !== notifications.title && hasWindow(options))
		app.options.onTitle(next.title);
	if (next.status !== undefined && next.status !== notifications.status && options.title)
		app.options.onStatus?.(next.status);
	if (action.isSnapshot === true) return;
	if (rings) app.options.onBell();
	if (notice === undefined || options.desktop === undefined) return;
	if (options.desktop === 'tmux') void notifyThroughTmux(app, notice);
	else app.options.onNotice?.(desktopBytes(options.desktop, notice));
}

/** Sends a notification through tmux to the terminal outside tmux, if tmux allows this. */
async function notifyThroughTmux(app: App, notice: DesktopNotice): Promise<void> {
	const {codeBehindTmux, throughTmux} = await import('../terminal/window/tmux.ts');
	const code = await codeBehindTmux(await app.options.programs());
	if (code !== undefined) app.options.onNotice?.(throughTmux(desktopBytes(code, notice)));
}

function isSame(one: NotificationState, other: NotificationState): boolean {
	return (
		one.title === other.title &&
		one.runningSince === other.runningSince &&
		one.askId === other.askId &&
		one.status === other.status
	);
}
