"""Orchestration on asyncio: the pump drives the scheduler, the dispatcher runs attempts, the bus tells subscribers."""
