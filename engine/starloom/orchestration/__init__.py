"""The asyncio edge: the pump that turns the scheduler, the dispatcher that runs attempts, the bus that tells everyone."""
