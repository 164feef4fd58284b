import {Component, type ReactNode} from 'react';

type Props = {readonly onError: (error: Error) => void; readonly children: ReactNode};

/** Catches errors of components. Without it Ink would show the error and exit with success. */
export class ErrorBoundary extends Component<Props, {readonly failed: boolean}> {
	override state = {failed: false};

	static getDerivedStateFromError(): {failed: boolean} {
		return {failed: true};
	}

	override componentDidCatch(error: Error): void {
		this.props.onError(error);
	}

	override render(): ReactNode {
		return this.state.failed ? null : this.props.children;
	}
}
