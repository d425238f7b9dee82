"""The asyncio edge: the pump turns the scheduler, the dispatcher runs attempts, the bus tells everyone."""
